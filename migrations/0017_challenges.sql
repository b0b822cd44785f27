-- Challenges: free seats that only their owner can take. `expires` is the time until which the owner can do so, and null for all other seats.
-- `declined` is the reason with which the owner declined.

ALTER TABLE seat ADD COLUMN expires BIGINT;
ALTER TABLE seat ADD COLUMN declined TEXT;
CREATE INDEX seat_expires ON seat (expires) WHERE expires IS NOT NULL;
