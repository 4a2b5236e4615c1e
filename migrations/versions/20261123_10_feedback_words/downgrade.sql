drop view visible_feedback;
alter table feedback drop column rating_word;
alter table feedback_contents drop column reason;

create view visible_feedback as
  select f.id, f.subject_id, f.generation, f.conversation_id, f.message_id, f.action, f.rating, f.recorded_at,
         t.evidence_ref, t.related_object_ref, t.comment
  from feedback f
  join subjects s on s.id = f.subject_id and s.generation = f.generation
  left join feedback_contents t on t.feedback_id = f.id
  where (f.conversation_id is null or exists (
           select from visible_conversations c where c.id = f.conversation_id and f.at_seq > c.cleared_through))
    and not exists (select from hides h where h.kind = 'feedback' and h.item_id = f.id);

grant select on visible_feedback to memory_center_app;
grant select on visible_feedback to memory_center_recall;
