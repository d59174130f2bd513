"""The foundation: rules written once, compiled or interpreted, with an honest meter."""
