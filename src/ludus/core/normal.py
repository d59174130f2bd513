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
FAR = 9.0
"""Standard deviations beyond which next to nothing lies: 1 in 10^18."""
STEPS = 32
"""Points of the table of tails, to a standard deviation."""
AT_ZERO = 1.0 / math.sqrt(2.0 * math.pi)
"""The normal density at 0."""


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


def mills_series(x):
    """The first terms of the Taylor series, at x >= 0, of Mills' ratio: the tail beyond x divided by the density at x.

    Its n-th derivative is, but for the sign, the integral I(n) of s^n exp(-x s - s^2 / 2) over s > 0, which obeys
    I(n + 1) = n I(n - 1) - x I(n). Where x is large that is used downward, since upward it loses digits.
    """
    if x < 2.0:
        integrals = [0.5 * math.erfc(x * math.sqrt(0.5)) / (AT_ZERO * math.exp(-0.5 * x * x))]
        integrals.append(1.0 - x * integrals[0])
        for n in range(1, 7):
            integrals.append(n * integrals[n - 1] - x * integrals[n])
    else:
        quotients = [0.0]  # I(n) / I(n - 1), from n = 200 to 1
        for n in range(200, 0, -1):
            quotients.append(n / (x + quotients[-1]))
        integrals = [1.0 / (x + quotients[-1])]
        for n in range(1, 8):
            integrals.append(integrals[-1] * quotients[-n])
    return [(-1) ** n * integral / math.factorial(n) for n, integral in enumerate(integrals)]


MILLS = [mills_series(k / STEPS) for k in range(int(FAR) * STEPS + 1)]


def normal_tail(x):
    """How likely a standard normal variable is to exceed x, and by how much it does on average, less counting as 0.

    For x from 0 to FAR, both to 13 digits; an error function and an exponential would take three times as long.
    """
    k = int(x * STEPS + 0.5)
    t = x - k * (1.0 / STEPS)
    c, u = MILLS[k], t * t
    ratio = (c[0] + c[1] * t) + u * ((c[2] + c[3] * t) + u * ((c[4] + c[5] * t) + u * (c[6] + c[7] * t)))
    slope = (c[1] + 2.0 * c[2] * t) + u * ((3.0 * c[3] + 4.0 * c[4] * t) + u * (5.0 * c[5] + (6.0 * c[6] + 7.0 * c[7] * t) * t))
    density = AT_ZERO * math.exp(-0.5 * x * x)
    return density * ratio, -density * slope
