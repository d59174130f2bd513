"""The normal distribution, for compiled and interpreted code alike."""

import math

# Algorithm AS 241 (Wichura 1988): a quotient of two polynomials for the middle of the curve, one for the tails and one
# for what lies beyond them. The coefficients begin with the highest power.
MIDDLE = (
    (2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457),
    (13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.3871328727963666080),
    (5226.4952788528545610, 28729.085735721942674, 39307.895800092710610, 21213.794301586595867),
    (5394.1960214247511077, 687.18700749205790830, 42.313330701600911252, 1.0),
)
TAIL = (
    (7.74545014278341407640e-4, 0.0227238449892691845833, 0.241780725177450611770, 1.27045825245236838258),
    (3.64784832476320460504, 5.76949722146069140550, 4.63033784615654529590, 1.42343711074968357734),
    (1.05075007164441684324e-9, 5.47593808499534494600e-4, 0.0151986665636164571966, 0.148103976427480074590),
    (0.689767334985100004550, 1.67638483018380384940, 2.05319162663775882187, 1.0),
)
BEYOND = (
    (2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3, 0.0265321895265761230930),
    (0.296560571828504891230, 1.78482653991729133580, 5.46378491116411436990, 6.65790464350110377720),
    (2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4),
    (0.0148753612908506148525, 0.136929880922735805310, 0.599832206555887937690, 1.0),
)
EDGE = 2.0**-54
"""The least probability that is told apart from 0."""


def normal_quantile(u):
    """The value that a standard normal variable exceeds with probability 1 - u, to about 16 digits; never infinite."""
    q = u - 0.5
    if abs(q) <= 0.425:
        return q * quotient(MIDDLE, 0.180625 - q * q)
    r = math.sqrt(-math.log(max(min(u, 1.0 - u), EDGE)))
    x = quotient(TAIL, r - 1.6) if r <= 5.0 else quotient(BEYOND, r - 5.0)
    return -x if q < 0.0 else x


def quotient(coefficients, x):
    """Two polynomials of degree 7 at x, the first divided by the second."""
    return polynomial(coefficients[0], coefficients[1], x) / polynomial(coefficients[2], coefficients[3], x)


def polynomial(high, low, x):
    """Horner's rule."""
    total = 0.0
    for coefficient in high:
        total = total * x + coefficient
    for coefficient in low:
        total = total * x + coefficient
    return total
