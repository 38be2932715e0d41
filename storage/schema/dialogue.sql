-- Dialogue: questions of the builder and answers of the client. Key: episode, event.
CREATE TABLE dialogue (
    episode VARCHAR NOT NULL,      -- episode
    run VARCHAR NOT NULL,          -- run
    turn BIGINT,                   -- turn
    event BIGINT NOT NULL,         -- seq of the event
    t TIMESTAMP,                   -- when the client answered (UTC)
    question VARCHAR,              -- question, or its beginning
    reply VARCHAR,                 -- answer, or its beginning
    answered_by VARCHAR,           -- client, or person when a human being answered
    retrieved BIGINT[],            -- facts (from 0) that were picked for the question
    disclosed BIGINT[],            -- facts found in the answer by the audit
    leaked BIGINT[],               -- facts disclosed, but neither handed over for the question nor told before
    challenged BOOLEAN,            -- whether the question said that wishes clash
    held BIGINT[],                 -- facts that were picked, and that the client did not give up yet
    answered BOOLEAN,              -- false when the client had no more time for questions
    inherited BOOLEAN              -- whether a fork has it from its parent, which also paid for it
);
