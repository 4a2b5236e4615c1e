drop view visible_document_parts, visible_documents;
drop table document_parts, document_contents, documents;
delete from hides where kind = 'document';
delete from lineage where source_kind = 'document';
delete from events where stream like 'document:%';
