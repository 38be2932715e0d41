-- What the index knows of itself: its version, and how far each log has been read.
CREATE SCHEMA internal;
CREATE TABLE internal.about (version BIGINT, fingerprint VARCHAR);
CREATE TABLE internal.runs (run VARCHAR, digest VARCHAR, problem VARCHAR);
CREATE TABLE internal.logs (
    run VARCHAR, episode VARCHAR, judging VARCHAR, "offset" BIGINT, mark BLOB, size BIGINT, changed BIGINT
);
CREATE TABLE internal.annotation_files (file VARCHAR, size BIGINT, changed BIGINT);
CREATE TABLE internal.annotated (episode VARCHAR, digest VARCHAR);
