-- Annotations: what people said of episodes, also what they took back. Key: annotation.
CREATE TABLE annotations (
    annotation VARCHAR NOT NULL,   -- its name: its file and its number in it
    episode VARCHAR NOT NULL,      -- episode; it may be gone from the store
    run VARCHAR NOT NULL,          -- run
    kind VARCHAR,                  -- verdict (on a slot), primary (the choice of the primary judging), note or bookmark
    judging VARCHAR,               -- judging that it is about; a verdict overrules this one and no later one
    slot BIGINT,                   -- slot, from 0
    event BIGINT,                  -- seq of the event that a note is on, in the log of the judging or else of the episode
    verdict VARCHAR,               -- pass, fail or unsure
    note VARCHAR,                  -- text
    blind BOOLEAN,                 -- of a verdict: whether it was given without a look at the judge's
    author VARCHAR,                -- who said it
    host VARCHAR,                  -- on which machine
    t TIMESTAMP,                   -- when (UTC)
    undone BOOLEAN,                -- whether its author took it back
    holds BOOLEAN                  -- whether it holds: neither taken back nor followed by another of its author on the same slot
);
