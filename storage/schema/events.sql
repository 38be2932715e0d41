-- Events: every event of every log, as it was written. Key: episode, judging, seq.
CREATE TABLE events (
    episode VARCHAR NOT NULL,      -- episode
    judging VARCHAR,               -- judging; NULL in the log of the episode itself
    run VARCHAR NOT NULL,          -- run
    seq BIGINT NOT NULL,           -- number of the event in its log, from 0
    t TIMESTAMP,                   -- when (UTC)
    turn BIGINT,                   -- turn, 0 before the first
    kind VARCHAR,                  -- kind of event
    event JSON,                    -- the whole line; a text that is no JSON stands as a JSON string
    discarded BOOLEAN,             -- whether a resume discarded it
    inherited BOOLEAN              -- whether a fork has it from its parent, which also paid for it
);
