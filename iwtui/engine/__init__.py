"""The turn loop: builder, client, Verify and the pool that plays many episodes."""
