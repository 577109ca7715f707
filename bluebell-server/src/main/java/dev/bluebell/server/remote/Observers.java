package dev.bluebell.server.remote;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.HcaHosting;
import dev.bluebell.hca.HcaObserver;
import dev.bluebell.server.WatchedProcess;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The observers of the clients of a device process. An observer gets a token, which its clients
 * present when they open the device; it then receives the explanations of their objects.
 * Thread-safe.
 */
public final class Observers implements HcaObserver {
  private final Hca hca;
  private final HcaHosting hosting;
  private final Map<Long, Observed> observed = new ConcurrentHashMap<>();
  private final Map<Thing, Owner> owners = new ConcurrentHashMap<>();
  private final SecureRandom random = new SecureRandom();

  /** An object of the device. */
  record Thing(Subject subject, int number) {}

  /** The observer and the process of an object. */
  private record Owner(Observed observed, WatchedProcess process) {}

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

  /** Ends an observer and the tracing of its clients' queue pairs; the clients continue. */
  void close(Observed gone) {
    observed.remove(gone.token());
    if (gone.traces()) {
      gone.endTraces();
      owners.forEach(
          (thing, owner) -> {
            if (owner.observed == gone && thing.subject == Subject.QUEUE_PAIR) {
              hosting.trace(thing.number, false);
            }
          });
    }
    owners.values().removeIf(owner -> owner.observed == gone);
  }

  Optional<Observed> find(long token) {
    return Optional.ofNullable(observed.get(token));
  }

  /**
   * Records an object that an observed client created; the caller runs the result when it is
   * destroyed.
   *
   * @param process of the client
   */
  Runnable begin(Observed observer, WatchedProcess process, Subject subject, int number) {
    Thing thing = new Thing(subject, number);
    Observed.Span span = observer.begin(subject, number, hca.clock());
    Owner owner = new Owner(observer, process);
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
    Owner owner = owners.get(new Thing(subject, number));
    if (owner != null) {
      // A failure caused by the end of the process is not reported.
      owner.observed.say(sentence, owner.process::isEnding);
    }
  }

  /** Why a completion failed. */
  Optional<String> explain(int cqn, int index) {
    return hca.diagnosis().flatMap(diagnosis -> diagnosis.explain(cqn, index));
  }

  /** The entries of the flight record that are about an observer's clients. */
  List<HcaHappening> happenings(Observed owner) {
    return hosting.happenings(owner::had);
  }
}
