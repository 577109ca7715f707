package dev.bluebell.verbs;

/**
 * The receiving end of a reliable connection to a {@link TagMatchingReceiveQueue}, for which the
 * device performs the rendezvous: when a message that {@linkplain TagHeader#offer offers} its
 * payload matches a tag, the device reads the payload into the tag's memory. It then sends a
 * {@linkplain TagHeader#isDone message} of 32 bytes, for which the sender must post a receive
 * request. A payload that does not fit the memory is {@linkplain Completion#wantsRendezvous left}
 * to the application.
 *
 * <p>The device itself uses the send queue, so the application cannot send here; it reads payloads
 * left to it through another queue pair. Completions are those of the tag-matching queue. Mirrors
 * {@code qp.c: create_user_qp} of Linux, {@code MLX5_QPC_OFFLOAD_TYPE_RNDV}.
 *
 * <p>Thread-safe.
 */
public interface RendezvousTarget extends TargetQueuePair {}
