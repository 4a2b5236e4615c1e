create index memories_of_projects on memories (subject_id, project_id, created_at) where scope = 'project';
