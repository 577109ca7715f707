package dev.bluebell.server.remote;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.HcaHosting;
import dev.bluebell.hca.HcaObserver;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.server.WatchedProcess;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The observers of the clients of a device process. An observer gets a token, which its clients
 * present when they open the device; it then receives the explanations of their objects.
 * Thread-safe.
 */
public final class Observers implements HcaObserver {
  /** Other lines, such as those of fabrics, belong to no client. */
  private static final Pattern QUEUE = Pattern.compile("(QP|DCT|CQ) 0x(\\p{XDigit}+):");

  /** A message holds them in some 100 KiB, on behalf of one connection. */
  private static final int MAX_LISTED = 512;

  private static final long LEAVING_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Hca hca;
  private final HcaHosting hosting;
  private final Map<Long, Observed> observed = new ConcurrentHashMap<>();
  private final Map<Thing, ObservedProcess> owners = new ConcurrentHashMap<>();
  private final SecureRandom random = new SecureRandom();

  /** An object of the device. */
  record Thing(Subject subject, int number) {}

  /**
   * @param hca a device that can host other processes
   * @throws IllegalArgumentException when it can't
   */
  public Observers(Hca hca) {
    this.hca = hca;
    hosting = RemoteService.hosting(hca);
    hosting.observe(this);
  }

  /** Begins to observe, with a token of its own; parameter as for {@link Observed}. */
  Observed open(boolean traces) {
    Observed opened = new Observed(random.nextLong(1, Long.MAX_VALUE), traces);
    observed.put(opened.token(), opened);
    return opened;
  }

  /**
   * Ends an observer and the tracing of its clients' queue pairs. The clients continue, and their
   * queues are still {@linkplain #queues listed}: an application may outlive the command that
   * started it.
   */
  void close(Observed gone) {
    observed.remove(gone.token());
    if (gone.traces()) {
      gone.endTraces();
      owners.forEach(
          (thing, owner) -> {
            if (owner.observed() == gone && thing.subject == Subject.QUEUE_PAIR) {
              hosting.trace(thing.number, false);
            }
          });
    }
  }

  /** Reports to the observer with a token, if there is one, why its client was refused. */
  public void refused(long token, String sentence) {
    find(token).ifPresent(observer -> observer.say(new Explanation(0, "", sentence), () -> false));
  }

  Optional<Observed> find(long token) {
    return Optional.ofNullable(observed.get(token));
  }

  /**
   * Records an object that an observed client created; the caller runs the result when it is
   * destroyed.
   */
  Runnable begin(ObservedProcess owner, Subject subject, int number) {
    Observed observer = owner.observed();
    Thing thing = new Thing(subject, number);
    Observed.Span span = observer.begin(subject, number, hca.clock());
    owners.put(thing, owner);
    boolean traced = observer.traces() && subject == Subject.QUEUE_PAIR;
    if (traced) {
      hosting.trace(number, true);
      if (!observer.traces()) {
        // The observer ended meanwhile, and may have missed this queue pair.
        hosting.trace(number, false);
      }
    }
    return () -> {
      if (traced) {
        hosting.trace(number, false);
      }
      owners.remove(thing, owner);
      span.end(hca.clock());
    };
  }

  @Override
  public void explained(Subject subject, int number, String sentence) {
    ObservedProcess owner = owners.get(new Thing(subject, number));
    if (owner != null) {
      owner.failed(sentence);
    }
  }

  /** Why a completion failed. */
  Optional<String> explain(int cqn, int index) {
    return hca.diagnosis().flatMap(diagnosis -> diagnosis.explain(cqn, index));
  }

  /** What the device says about the queues of a process that is observed, one line each. */
  List<String> queues(WatchedProcess process) {
    Object identity = process.identity();
    return lines(owner -> owner.process().identity().equals(identity));
  }

  private List<String> lines(Predicate<ObservedProcess> which) {
    try {
      return hosting
          .objects(
              (kind, number) -> {
                ObservedProcess owner = owner(kind, number);
                return owner != null && which.test(owner);
              })
          .stream()
          .filter(line -> QUEUE.matcher(line).lookingAt())
          .toList();
    } catch (InternalError gone) {
      // A client can truncate the memory of its rings.
      return List.of();
    }
  }

  /** Waits for a moment until observed clients that are ending have left. */
  void awaitLeft(Observed observer) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < LEAVING_NANOS
        && owners.values().stream()
            .anyMatch(owner -> owner.observed() == observer && owner.process().isEnding())) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  private @Nullable ObservedProcess owner(ObjectKind kind, int number) {
    return switch (kind) {
      case QUEUE_PAIR, DC_TARGET -> owners.get(new Thing(Subject.QUEUE_PAIR, number));
      case COMPLETION_QUEUE -> owners.get(new Thing(Subject.COMPLETION_QUEUE, number));
      default -> null;
    };
  }

  /**
   * The queues of all observed processes, each after a line that names its process; some, if there
   * are many.
   */
  List<String> queues() {
    AtomicInteger left = new AtomicInteger(MAX_LISTED);
    Map<Object, List<String>> byProcess = new LinkedHashMap<>();
    for (String line : lines(owner -> left.decrementAndGet() >= 0)) {
      Matcher named = QUEUE.matcher(line);
      if (named.lookingAt()) {
        Subject subject =
            named.group(1).equals("CQ") ? Subject.COMPLETION_QUEUE : Subject.QUEUE_PAIR;
        ObservedProcess owner =
            owners.get(new Thing(subject, Integer.parseInt(named.group(2), 16)));
        if (owner != null) {
          byProcess
              .computeIfAbsent(
                  owner.process().identity(),
                  first -> new ArrayList<>(List.of("process " + owner.named())))
              .add(line);
        }
      }
    }
    return byProcess.values().stream().flatMap(List::stream).toList();
  }

  /** The entries of the flight record that are about an observer's clients. */
  List<HcaHappening> happenings(Observed owner) {
    // What was overwritten before the observer's clients had an object was of others.
    return hosting.happenings(owner::had).stream()
        .filter(
            happening ->
                happening.kind() != HcaHappening.OVERWRITTEN
                    || owner.hadAnyBefore(happening.nanos()))
        .toList();
  }
}
