-- Slots of the cases: atomic requirements. Key: run, case_id, slot.
CREATE TABLE case_slots (
    run VARCHAR NOT NULL,          -- run that the case is frozen in
    case_id VARCHAR NOT NULL,      -- id of the case
    slot BIGINT NOT NULL,          -- number of the slot, from 0
    component VARCHAR,             -- target component
    expected VARCHAR,              -- expected result
    assertion VARCHAR,             -- POSITIVE (must be there) or NEGATIVE (must not)
    kind VARCHAR,                  -- content, style, interaction, data, validation or unrequested
    c_tech BIGINT,                 -- technical complexity, 1 to 3
    weight DOUBLE,                 -- the paper's weight W
    task VARCHAR,                  -- wording of the task, where the pack has one
    visibility VARCHAR,            -- how the persona's instruction shows it: stated, missing, metaphor, contradicted; NULL when not noted
    facts BIGINT[],                -- facts (from 0) of the golden instruction that it needs
    has_check BOOLEAN              -- whether it carries an executable check
);
