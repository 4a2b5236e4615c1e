drop index messages_by_time;
drop table trait_questions;
