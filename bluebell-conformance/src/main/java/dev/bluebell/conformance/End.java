package dev.bluebell.conformance;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.util.List;

/**
 * One end of a connection, with a domain and a completion queue of its own.
 *
 * @param completions of its sends and receives
 */
record End(
    Bench bench, ProtectionDomain domain, CompletionQueue completions, RcQueuePair queuePair) {

  /** Registered memory with all rights. */
  Buffer buffer(long bytes) {
    return buffer(bytes, Access.rights());
  }

  /** Registered memory. */
  Buffer buffer(long bytes, Access... access) {
    return new Buffer(domain.allocate(bytes, access));
  }

  /** Posts a receive request for one range of memory and rings for it. */
  void receive(Buffer buffer, long offset, int bytes, long id) {
    queuePair.receive().scatter(buffer.address(offset), bytes, buffer.lkey()).post(id);
    queuePair.ringReceiveDoorbell();
  }

  /** Posts receive requests without memory, for messages without data, and rings for them. */
  void receiveNothing(int count, long firstId) {
    for (int i = 0; i < count; i++) {
      queuePair.receive().empty().post(firstId + i);
    }
    queuePair.ringReceiveDoorbell();
  }

  /** Posts a SEND of one range of memory, signalled, and rings for it. */
  void send(Buffer buffer, long offset, int bytes, long id) {
    queuePair.send().gather(buffer.address(offset), bytes, buffer.lkey()).signaled(id);
    queuePair.ringDoorbell();
  }

  /** Posts a SEND without data, signalled, and rings for it. */
  void sendNothing(long id) {
    queuePair.send().signaled(id);
    queuePair.ringDoorbell();
  }

  /** Posts a NOP, signalled, and rings for it. */
  void nop(long id) {
    queuePair.nop().signaled(id);
    queuePair.ringDoorbell();
  }

  /** Posts an RDMA WRITE of one range of memory, signalled, and rings for it. */
  void write(Buffer from, long fromOffset, int bytes, Buffer to, long toOffset, long id) {
    queuePair
        .write(to.address(toOffset), to.rkey())
        .gather(from.address(fromOffset), bytes, from.lkey())
        .signaled(id);
    queuePair.ringDoorbell();
  }

  /** Posts an RDMA READ into one range of memory, signalled, and rings for it. */
  void read(Buffer from, long fromOffset, int bytes, Buffer to, long toOffset, long id) {
    queuePair
        .read(from.address(fromOffset), from.rkey())
        .scatter(to.address(toOffset), bytes, to.lkey())
        .signaled(id);
    queuePair.ringDoorbell();
  }

  /** Posts a fetch-and-add, signalled, and rings for it. */
  void fetchAndAdd(Buffer at, long offset, long add, Buffer result, long resultOffset, long id) {
    queuePair
        .fetchAndAdd(at.address(offset), at.rkey(), add)
        .scatter(result.address(resultOffset), result.lkey())
        .signaled(id);
    queuePair.ringDoorbell();
  }

  /** Waits for a number of completions. */
  List<Done> await(int count) {
    return bench.await(completions, count);
  }

  /** Rings for the posted requests, and waits for one completion, a success with this id. */
  Done complete(long id) {
    queuePair.ringDoorbell();
    return awaitSuccess(id);
  }

  /** Waits for a number of successes with consecutive ids. */
  List<Done> awaitInOrder(int count, long firstId) {
    List<Done> done = await(count);
    for (int i = 0; i < count; i++) {
      done.get(i).requireSuccess(firstId + i);
    }
    return done;
  }

  /** Waits for one completion. */
  Done awaitOne() {
    return await(1).getFirst();
  }

  /**
   * Waits for one completion with this id and status.
   *
   * @param explained what the explanation must name, on a device that explains failures
   */
  Done awaitOne(long id, CompletionStatus status, Object... explained) {
    return awaitOne().require(id, status).requireExplained(bench, explained);
  }

  /** Waits for one completion, which must be a success with this id. */
  Done awaitSuccess(long id) {
    return awaitOne().requireSuccess(id);
  }
}
