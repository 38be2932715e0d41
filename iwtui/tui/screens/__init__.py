"""The screens, from the runs of a store down to one slot of one episode."""
