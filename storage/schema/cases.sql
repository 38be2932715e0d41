-- Cases: a seed told by a persona, as it was frozen into a run. Key: run, case_id.
CREATE TABLE cases (
    run VARCHAR NOT NULL,          -- run that the case is frozen in
    case_id VARCHAR NOT NULL,      -- id of the case: seed and persona
    pack VARCHAR,                  -- task pack
    seed VARCHAR,                  -- id of the seed, shared by its personas
    persona VARCHAR,               -- id of the persona (P-MIN, P-RAM, ..)
    difficulty VARCHAR,            -- easy, middle or hard
    language VARCHAR,              -- language of the instruction
    title VARCHAR,                 -- title of the seed
    application_type VARCHAR,      -- type of application
    category VARCHAR,              -- category of the benchmark
    instruction VARCHAR,           -- what the builder is told first
    golden VARCHAR,                -- the full instruction, known to the client and the judge only; NULL when an imported log does not hold it
    facts BIGINT,                  -- number of facts in the golden instruction; NULL when that is not known
    slots BIGINT,                  -- number of slots
    weight DOUBLE                  -- total weight of the slots
);
