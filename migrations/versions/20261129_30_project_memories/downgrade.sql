drop index memories_of_projects;
