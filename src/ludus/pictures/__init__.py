"""Pictures: figures by matplotlib, boards as SVG.

May import: common, model, runtime.
"""
