"""The networks: memories, contexts, attention, softmax, detector, and the embeddings they start from."""
