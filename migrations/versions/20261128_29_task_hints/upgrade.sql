grant update (task_hint) on memory_contents to memory_center_app;
