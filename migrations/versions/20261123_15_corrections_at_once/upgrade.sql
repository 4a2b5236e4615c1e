-- Corrections that still waited are not made: their persons ask again, and are answered at once.
delete from outbox where kind = 'memory.correct';
update operation_steps set status = 'failed', finished_at = now()
  where status in ('waiting', 'ready', 'running') and operation_id in (select id from operations where type = 'correct_memory');
update operations set status = 'failed', updated_at = now()
  where type = 'correct_memory' and status in ('pending', 'running');
drop view visible_corrections;
drop table correction_contents;
