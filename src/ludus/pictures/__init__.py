"""Pictures: figures by matplotlib, boards as SVG."""
