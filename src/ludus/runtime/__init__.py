"""Running a program: threads, the watchdog, the dry run, traces, views of trees.

May import: common, kernel, features, compile, model.
"""
