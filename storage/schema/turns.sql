-- Turns: one message of the builder and what it caused; discarded turns are left out. Key: episode, turn.
CREATE TABLE turns (
    episode VARCHAR NOT NULL,      -- episode
    run VARCHAR NOT NULL,          -- run
    turn BIGINT NOT NULL,          -- number of the turn, from 1
    event BIGINT,                  -- seq of its first event
    t TIMESTAMP,                   -- when it began (UTC)
    action VARCHAR,                -- clarify, implement, verify, submit or malformed; NULL while the builder is at it
    stood VARCHAR[],               -- kinds of all actions that stood in the message
    oddities VARCHAR[],            -- kinds of what a strict reading does not allow
    message VARCHAR,               -- what the builder was told, or its beginning
    answer VARCHAR,                -- the builder's answer, or its beginning
    question VARCHAR,              -- question to the client, or its beginning
    criteria VARCHAR,              -- criteria of a Verify, or their beginning
    verify_status VARCHAR,         -- success, failed or error
    report VARCHAR,                -- report of a Verify, or its beginning
    files_changed BIGINT,          -- files added, changed or deleted
    loc BIGINT,                    -- lines of code in the workspace after it; NULL when nothing was written
    commands BIGINT,               -- shell lines
    browser_steps BIGINT,          -- steps in the browser
    calls BIGINT,                  -- calls of models
    tokens_in BIGINT,              -- tokens sent, as far as known; NULL when no call told any
    tokens_out BIGINT,             -- tokens received, as far as known; NULL when no call told any
    cost DOUBLE,                   -- US dollars of the priced calls; NULL when no call had a price
    warnings BIGINT,               -- warnings in it
    official_kinds VARCHAR[],      -- kinds of action in the answer as the official analyser reads them, in the order in which they begin
    official_questions BIGINT,     -- questions in the answer that the official judge of questions can read
    inherited BOOLEAN              -- whether a fork has it from its parent, which also paid for it
);
