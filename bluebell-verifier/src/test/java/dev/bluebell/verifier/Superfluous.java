package dev.bluebell.verifier;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.QueueSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Queue;
import dev.bluebell.program.image.Region;
import dev.bluebell.verifier.Mutations.Mutation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds WAITs, enables and fences that a program does not need, because another barrier has the
 * same effect: its executions without them are executions with them on some device.
 */
public final class Superfluous {
  private final ProgramImage image;
  private final Rules rules;
  private final Mutation mutation;
  private final Queue queue;
  private final List<Request> entries;
  private int position = -1;

  private Superfluous(ProgramImage image, Rules rules, Mutation mutation) {
    this.image = image;
    this.rules = rules;
    this.mutation = mutation;
    queue = image.queue(mutation.qpn()).orElseThrow();
    entries = entries(queue);
    int index = 0;
    for (int i = 0; i < entries.size(); i++) {
      position = index == mutation.index() ? i : position;
      index += entries.get(i).wqebbs();
    }
  }

  private static List<Request> entries(Queue of) {
    List<Request> entries = new ArrayList<>();
    for (int index = 0; index < of.send().posted(); index += entries.getLast().wqebbs()) {
      byte[] slots = new byte[64 * ControlSegment.wqebbs(ControlSegment.MAX_DS)];
      for (int i = 0; i < slots.length / 64; i++) {
        System.arraycopy(of.send().slot(index + i), 0, slots, 64 * i, 64);
      }
      entries.add(Request.of(slots, false));
    }
    return entries;
  }

  /**
   * Whether a program behaves the same without the barrier that a mutation removes.
   *
   * @param image the program with the barrier
   */
  public static boolean is(ProgramImage image, Rules rules, Mutation mutation) {
    Superfluous superfluous = new Superfluous(image, rules, mutation);
    if (mutation.isFence()) {
      return superfluous.isFencedBefore() || superfluous.isNoneOfItsBusiness();
    }
    return superfluous.entries.get(superfluous.position).isEnable()
        && superfluous.isEnabledBehind();
  }

  /**
   * True when a later enable of the same queue has at least the same limit, and is reached without
   * this one: the effect is as if the device executed the enabled entries late. A WAIT between the
   * two may wait for just these entries, and so may a NOP that becomes a WAIT; but a WAIT for the
   * queue's own completions does not.
   */
  private boolean isEnabledBehind() {
    Request enable = entries.get(position);
    int index = mutation.index();
    for (Request next : entries.subList(position, entries.size())) {
      boolean same = next.isEnable() && next.object() == enable.object() && !next.equals(enable);
      if (same && (next.maxIndex() - enable.maxIndex() & 0xffff) < 0x8000) {
        return enable.object() != mutation.qpn() || index < enabledOtherwise();
      }
      if (next.isWait() && !isForItself(next)
          || next.opcode() == WqeOpcode.NOP && isAsShort(next)) {
        return false;
      }
      index += next.wqebbs();
    }
    return false;
  }

  private boolean isForItself(Request wait) {
    return wait.object() == queue.sendCq()
        && image.queues().stream()
            .filter(other -> other.qpn() != queue.qpn())
            .noneMatch(
                other -> other.sendCq() == wait.object() || other.receiveCq() == wait.object());
  }

  private static boolean isAsShort(Request nop) {
    return nop.bytes().length == ControlSegment.BYTES + QueueSegment.BYTES;
  }

  /**
   * The limit that other enables set for the queue: those before this one, and those of other
   * queues.
   */
  private int enabledOtherwise() {
    int reach = 0;
    for (Request before : entries.subList(0, position)) {
      reach = Math.max(reach, reach(before));
    }
    for (Queue other : image.queues()) {
      if (other.qpn() != queue.qpn()) {
        for (Request request : entries(other)) {
          reach = Math.max(reach, reach(request));
        }
      }
    }
    return reach;
  }

  private int reach(Request request) {
    return request.isEnable() && request.object() == mutation.qpn() ? request.maxIndex() : 0;
  }

  /**
   * True when an earlier enable or WAIT has waited for the same requests, and no request that takes
   * time has begun since.
   */
  private boolean isFencedBefore() {
    Request fenced = entries.get(position);
    for (int i = position - 1; i >= 0; i--) {
      Request before = entries.get(i);
      if (!before.isEnable() && !before.isWait()) {
        return false;
      }
      boolean obeys = before.isWait() || rules.fencedEnables();
      if (obeys && before.isFenced() && (before.isStronglyFenced() || !fenced.isStronglyFenced())) {
        return true;
      }
    }
    return false;
  }

  /**
   * True for an enable of another queue, if requests that may still be executed write neither to
   * that queue nor to any region whose key is in its ring.
   */
  private boolean isNoneOfItsBusiness() {
    Request enable = entries.get(position);
    if (!enable.isEnable() || enable.object() == mutation.qpn()) {
      return false;
    }
    Queue target = image.queue(enable.object()).orElseThrow();
    Set<String> concerned =
        entries(target).stream().flatMap(this::named).map(Region::name).collect(Collectors.toSet());
    concerned.add(target.send().region().name());
    return entries.subList(complete(), position).stream()
        .flatMap(this::written)
        .noneMatch(region -> concerned.contains(region.name()));
  }

  /**
   * Number of entries that are certainly complete: all before a strong fence, and all up to a READ
   * or atomic that another fence has waited for, since its response comes after the effects of
   * earlier requests.
   */
  private int complete() {
    for (int i = position - 1; i >= 0; i--) {
      Request before = entries.get(i);
      if (!before.isEnable() || rules.fencedEnables()) {
        if (before.isStronglyFenced()) {
          return i;
        }
        int answered = i - 1;
        while (before.isFenced() && answered >= 0 && !entries.get(answered).isAnswered()) {
          answered--;
        }
        if (before.isFenced() && answered >= 0) {
          return answered + 1;
        }
      }
    }
    return 0;
  }

  /** Regions whose key is in an entry, behind its control segment. */
  private Stream<Region> named(Request entry) {
    ByteBuffer words = ByteBuffer.wrap(entry.bytes());
    return IntStream.range(ControlSegment.BYTES / Integer.BYTES, words.capacity() / Integer.BYTES)
        .map(word -> words.getInt(word * Integer.BYTES))
        .boxed()
        .flatMap(
            key ->
                Stream.concat(
                    image.regionOfLkey(key).stream(),
                    image.regionOfRkey(Region.Owner.PROGRAM, key).stream()));
  }

  /** Regions that an entry may write to, including a NOP that becomes a request. */
  private Stream<Region> written(Request entry) {
    if (entry.opcode() == WqeOpcode.NOP) {
      return named(entry);
    }
    Stream<Region> remote =
        entry.hasRemoteAddress()
            ? image.regionOfRkey(Region.Owner.PROGRAM, entry.rkey()).stream()
            : Stream.empty();
    return Stream.concat(
        remote,
        entry.pieces().stream().flatMap(piece -> image.regionOfLkey(piece.lkey()).stream()));
  }
}
