package dev.bluebell.program.verify;

import dev.bluebell.program.image.EntryPoint;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Queue;
import dev.bluebell.program.image.Region;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One way that the conditions of a program may go, up to some moment. */
final class Path {
  final Layout layout;
  final int[] memory;
  final Symbols symbols;
  final AccessLog log;
  final List<ProofQueue> queues = new ArrayList<>();
  final Map<Integer, ProofCq> completions = new TreeMap<>();
  final List<ProofClient> clients = new ArrayList<>();

  /** What never happens before anything. */
  final Clock start;

  /** How the next condition goes; null when nobody has said. */
  @Nullable Boolean decision;

  /** Position of the client whose message is being worked on; −1 before the first. */
  int client = -1;

  /** Position of the queue that had the last turn. */
  int turn;

  /** The start of all paths. */
  Path(ProgramImage image, Layout layout, Set<String> unknown) {
    this.layout = layout;
    symbols = new Symbols();
    log = new AccessLog(layout.clientsFrom());
    start = Clock.start(image.queues().size() * Chain.values().length);
    byte[] content = layout.content();
    memory = new int[content.length];
    for (int i = 0; i < content.length; i++) {
      memory[i] = content[i] & 0xff;
    }
    for (Region region : image.regions()) {
      if (region.owner() == Region.Owner.CLIENT || unknown.contains(region.name())) {
        for (int i = 0; i < region.length(); i++) {
          memory[layout.place(region) + i] = symbols.fresh();
        }
      }
    }
    for (Queue queue : image.queues()) {
      queues.add(new ProofQueue(queue, queues.size(), start));
    }
    image.completionQueues().forEach(cqn -> completions.put(cqn, new ProofCq()));
    for (EntryPoint entry : image.entryPoints()) {
      clients.add(new ProofClient(entry, start));
    }
  }

  private Path(Path other) {
    layout = other.layout;
    memory = other.memory.clone();
    symbols = other.symbols.copy();
    log = other.log.copy();
    other.queues.forEach(queue -> queues.add(queue.copy()));
    other.completions.forEach((cqn, cq) -> completions.put(cqn, cq.copy()));
    other.clients.forEach(each -> clients.add(each.copy()));
    start = other.start;
    decision = other.decision;
    client = other.client;
    turn = other.turn;
  }

  Path copy() {
    return new Path(this);
  }

  /** The codes of a range. */
  int[] codes(int place, int length) {
    int[] codes = new int[length];
    for (int i = 0; i < length; i++) {
      codes[i] = symbols.resolve(memory[place + i]);
    }
    return codes;
  }

  @Nullable ProofQueue queue(int qpn) {
    for (ProofQueue each : queues) {
      if (each.queue.qpn() == qpn) {
        return each;
      }
    }
    return null;
  }

  /** Enters an access, or refuses when it is not ordered behind one before it. */
  void access(Access access) {
    Access old = log.add(access);
    if (access.read()) {
      refuseUnsettled(access.who().toString(), access.from(), access.to());
    }
    if (old == null) {
      return;
    }
    int place = Math.max(old.from(), access.from());
    if (access.fetch() || old.fetch()) {
      Access fetch = access.fetch() ? access : old;
      Access write = access.fetch() ? old : access;
      throw new Refused(
          access.fetch()
              ? "%s may be fetched before %s has rewritten it (byte %d): no WAIT, fence or enable"
                  + " orders them"
              : "%s may still be to be fetched when %s rewrites it (byte %d): no WAIT, fence or"
                  + " enable orders them",
          fetch.who().entry(),
          write.who(),
          place - fetch.from());
    }
    throw new Refused(
        "%s %s %s and %s %s it: no WAIT, fence or enable orders them",
        old.who(),
        old.write() ? "writes" : "reads",
        layout.name(place),
        access.who(),
        access.write() ? "writes" : "reads");
  }

  /** Refuses to read what several wrote in no order. */
  void refuseUnsettled(String who, int from, int to) {
    Access writer = log.unsettled(from, to);
    if (writer != null) {
      throw new Refused(
          "%s reads what %s and another have written, and nothing says which was last",
          who, writer.who());
    }
  }
}
