package dev.bluebell.verbs;

/**
 * The receiving end of a reliable connection to a {@link TagMatchingReceiveQueue}, of which the
 * device does the rendezvous: when a message that {@linkplain TagHeader#offer offers} its payload
 * takes a tag, the device reads the payload into the tag's memory, and then tells the sender by a
 * {@linkplain TagHeader#isDone message} of 32 bytes, for which the sender posts a receive request.
 * What does not fit the memory is {@linkplain Completion#wantsRendezvous left} to the program.
 *
 * <p>Its send queue is the device's own, so a program sends nothing by it, and reads what is left
 * to it by another queue pair. Completions are those of the tag-matching queue. Mirrors {@code
 * qp.c: create_user_qp} of Linux, {@code MLX5_QPC_OFFLOAD_TYPE_RNDV}.
 *
 * <p>Thread-safe.
 */
public interface RendezvousTarget extends TargetQueuePair {}
