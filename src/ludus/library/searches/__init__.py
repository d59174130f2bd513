"""One file a control strategy; a new file here is a new search."""
