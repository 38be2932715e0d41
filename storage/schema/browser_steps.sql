-- Browser steps: one action in the browser, within a Verify or a judging. Key: episode, judging, event.
CREATE TABLE browser_steps (
    episode VARCHAR NOT NULL,      -- episode
    judging VARCHAR,               -- judging; NULL within a Verify
    run VARCHAR NOT NULL,          -- run
    turn BIGINT,                   -- turn
    event BIGINT NOT NULL,         -- seq of the event in its log
    t TIMESTAMP,                   -- when (UTC)
    phase VARCHAR,                 -- verify or judging
    step BIGINT,                   -- number of the step
    slot BIGINT,                   -- slot that it was for, from 0
    thought VARCHAR,               -- thought before it, or its beginning
    action VARCHAR,                -- what was done
    target VARCHAR,                -- what it was done to
    result VARCHAR,                -- what came of it
    url VARCHAR,                   -- address of the page after it
    screenshot VARCHAR,            -- blob of the picture it was chosen from (in a judging: what it found), without marks
    marks VARCHAR,                 -- blob of the list of marks
    marks_count BIGINT,            -- number of marks
    dialogs BIGINT,                -- dialogs that the page opened
    console VARCHAR[],             -- lines of the page's console
    blocked VARCHAR[],             -- requests that were blocked
    seconds DOUBLE,                -- time it took; NULL when not measured
    inherited BOOLEAN              -- whether a fork has it from its parent, which also paid for it
);
