-- A rating is a number or one of these words; a reason is content.
alter table feedback add column rating_word text
  check (rating_word is null or (rating is null and rating_word in ('thumbs_up', 'not_helpful', 'agree', 'disagree')));
alter table feedback_contents add column reason text;
alter table feedback_contents alter column reason set statistics 0, alter column reason set storage external;

create or replace view visible_feedback as
  select f.id, f.subject_id, f.generation, f.conversation_id, f.message_id, f.action, f.rating, f.recorded_at,
         t.evidence_ref, t.related_object_ref, t.comment, f.rating_word, t.reason
  from feedback f
  join subjects s on s.id = f.subject_id and s.generation = f.generation
  left join feedback_contents t on t.feedback_id = f.id
  where (f.conversation_id is null or exists (
           select from visible_conversations c where c.id = f.conversation_id and f.at_seq > c.cleared_through))
    and not exists (select from hides h where h.kind = 'feedback' and h.item_id = f.id);
