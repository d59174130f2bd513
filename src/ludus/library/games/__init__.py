"""One file a game; a new file here is a new game. (`marks.py` is what games of X and O share.)"""
