-- Where the server that hands out the jobs of this store is asked: whoever has the store need not know it.
CREATE TABLE work_server (
    name TEXT NOT NULL PRIMARY KEY,
    url TEXT NOT NULL
);
