"""The domain: cases, slots, actions, events, the fold and the scores. Pure; imports nothing of ours and does no I/O."""
