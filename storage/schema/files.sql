-- Files: what each turn changed in the workspace. Key: episode, event, path.
CREATE TABLE files (
    episode VARCHAR NOT NULL,      -- episode
    run VARCHAR NOT NULL,          -- run
    turn BIGINT,                   -- turn
    event BIGINT NOT NULL,         -- seq of the event
    path VARCHAR,                  -- path in the workspace
    op VARCHAR,                    -- add, change, delete, or refused
    blob VARCHAR,                  -- blob with the content
    size BIGINT,                   -- bytes
    added BIGINT,                  -- lines added
    removed BIGINT,                -- lines removed
    elided BOOLEAN,                -- whether it seems to stand for code it leaves out
    reason VARCHAR,                -- why it was refused
    inherited BOOLEAN              -- whether a fork has it from its parent, which also paid for it
);
