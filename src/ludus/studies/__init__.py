"""Studies: the reproduction of one paper each, in one file, on the public API alone. See `ludus reproduce`.

May import: `import ludus` alone.
"""
