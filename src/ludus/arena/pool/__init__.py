"""Who does the work: processes of this machine or a Dask cluster, and several runs that share them."""
