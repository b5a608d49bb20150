"""The numbered steps from an empty database to the present schema; a step that was released is never edited."""
