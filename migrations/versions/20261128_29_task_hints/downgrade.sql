revoke update (task_hint) on memory_contents from memory_center_app;
