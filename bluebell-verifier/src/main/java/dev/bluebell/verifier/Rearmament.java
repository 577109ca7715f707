package dev.bluebell.verifier;

import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Region;
import dev.bluebell.program.image.Ring;
import dev.bluebell.verifier.Symbols.Digit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Simulates a client that rearms its program, on a path of a proof: each number that the client
 * writes becomes symbolic, and advances by what a call adds to its counter. Other bytes that differ
 * between calls become unknown.
 */
final class Rearmament {
  private final ProgramImage image;
  private final Rearm rearm;

  /** The amount that one call adds to each counter; null before the end of the first call. */
  private long @Nullable [] growth;

  Rearmament(ProgramImage image, Rearm rearm) {
    this.image = image;
    this.rearm = rearm;
  }

  /** Executes the writes of the client after its last message, before it sends the next one. */
  void apply(Path path) {
    refuseSeveralSenders(path);
    ProofClient client = path.clients.get(path.client);
    ProofQueue receiver = Objects.requireNonNull(path.queue(client.entry.qpn()));
    if (!client.hasNotice()) {
      throw new Refused(
          "the program is at rest, and the client got no message that the call is over");
    }
    client.proceedBehindAll();
    beginAgain(path);
    count(path);
    int chain = Chain.RECEIVED.of(receiver.number);
    int number = ++receiver.arrivals;
    Span span = new Span(new Actor("the client", ""), client.knows, chain, number);
    Map<String, byte[]> now = rearm.writes().apply(1);
    Map<String, byte[]> later = rearm.writes().apply(2);
    for (Region region : image.regions()) {
      byte[] bytes = now.get(region.name());
      if (bytes != null) {
        int place = path.layout.place(region);
        int[] codes = codes(path, place, bytes, Objects.requireNonNull(later.get(region.name())));
        Access write = span.access(Access.Kind.WRITE, place, codes.length);
        try {
          new ProofMemory(path).store(write, codes, 0);
        } catch (IllegalRequest refused) {
          throw new Refused("%s %s", write.who().entry(), refused.what());
        }
      }
    }
    if (receiver.taken >= receiver.receiveLimit()) {
      throw new Refused(
          "%s has no receive entry for the next message after the client has rearmed it",
          receiver.name());
    }
    client.knows = client.knows.with(chain, number);
    launch(path, client.knows);
  }

  /**
   * Refuses several senders: their messages arrive in any order, so the last one proves nothing
   * about the others.
   */
  private static void refuseSeveralSenders(Path path) {
    List<ProofQueue> senders =
        path.queues.stream()
            .filter(each -> !each.queue.isLoopback() && each.queue.send().posted() > 0)
            .toList();
    if (senders.size() > 1) {
      throw new Refused(
          "%s and %s both send to the client: nothing determines which message is the last of a"
              + " call",
          senders.getFirst().name(), senders.getLast().name());
    }
  }

  /** Requires that each ring is at its end, so that it begins again. */
  private static void beginAgain(Path path) {
    for (ProofQueue each : path.queues) {
      int end = each.queue.managed() ? each.queue.send().slots() : each.queue.send().posted();
      boolean isIdle = each.queue.managed() && each.head == 0 && each.limit() == 0;
      if (!isIdle && (each.head != end || each.limit() != end)) {
        throw new Refused(
            "%s is at index %d of %d when the client gets the message that the call is over",
            each.name(), each.head, end);
      }
    }
    path.isPostedAgain = true;
  }

  private void count(Path path) {
    long[] before = path.bases.clone();
    path.rebase();
    long[] added = path.bases.clone();
    for (int i = 0; i < added.length; i++) {
      added[i] -= before[i];
    }
    if (growth == null) {
      growth = added;
    }
    if (!Arrays.equals(growth, added)) {
      throw new Refused("different calls make different numbers of completions");
    }
  }

  private int[] codes(Path path, int place, byte[] now, byte[] later) {
    int[] codes = new int[now.length];
    for (int i = 0; i < now.length; i++) {
      codes[i] = now[i] == later[i] || !path.numbers.isSettled() ? now[i] & 0xff : -1;
    }
    path.numbers.within(
        place,
        place + now.length,
        (field, from) -> {
          long value = field.value(now, from - place);
          long next = field.value(later, from - place);
          long step = Objects.requireNonNull(growth)[field.counter()];
          if (Symbols.low(next - value - step, field.bytes()) != 0) {
            throw new Refused(
                "the client writes %d to %s for one call and %d for the next: its counter advances"
                    + " by %d",
                value, path.layout.name(from), next, step);
          }
          for (int i = 0; i < field.bytes(); i++) {
            Digit digit = new Digit(field.counter(), i, value - step);
            codes[field.at(from - place, i)] = path.symbols.code(digit);
          }
        });
    for (int i = 0; i < codes.length; i++) {
      codes[i] = codes[i] < 0 ? path.symbols.fresh() : codes[i];
    }
    return codes;
  }

  private void launch(Path path, Clock since) {
    ProofQueue launcher = Objects.requireNonNull(path.queue(rearm.launcher()));
    Ring ring = launcher.queue.send();
    if (!ring.region().rights().isEmpty()) {
      throw new Refused(
          "the ring of %s is in memory that other requests may access", launcher.name());
    }
    int place = path.layout.place(ring, 0);
    int[] codes = codes(path, place, rearm.launches().apply(1), rearm.launches().apply(2));
    System.arraycopy(codes, 0, path.memory, place, codes.length);
    launcher.limits.add(new Limit(ring.posted(), since));
  }
}
