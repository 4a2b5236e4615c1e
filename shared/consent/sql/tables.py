"""The tables of this capability, and its views, which leave out forgotten rows."""

from __future__ import annotations

from shared.kernel.tables import table, view

profile_consents = table(
    "profile_consents",
    uuid="id subject_id grant_id operation_id",
    integer="generation version",
    boolean="create_task save_to_thread save_to_profile training_use_allowed imported",
    text="text_version locale channel",
    timestamptz="granted_at revoked_at",
    texts="withdrawn",
)
user_settings = table(
    "user_settings",
    uuid="subject_id",
    text="user_id time_zone",
    boolean="summary_enabled episodic_enabled longterm_enabled injection_enabled preference_learning_enabled"
    " privacy_mode_enabled traits_enabled",
    integer="preference_learning_threshold version",
    timestamptz="updated_at",
)
visible_consents = view(
    "visible_consents",
    uuid="id subject_id grant_id operation_id",
    integer="generation version",
    boolean="create_task save_to_thread save_to_profile training_use_allowed imported",
    text="text_version locale channel",
    timestamptz="granted_at revoked_at",
    texts="withdrawn",
)
visible_settings = view(
    "visible_settings",
    uuid="subject_id",
    text="user_id time_zone",
    boolean="summary_enabled episodic_enabled longterm_enabled injection_enabled preference_learning_enabled"
    " privacy_mode_enabled traits_enabled",
    integer="preference_learning_threshold version",
    timestamptz="updated_at",
)
