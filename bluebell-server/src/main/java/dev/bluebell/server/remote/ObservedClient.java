package dev.bluebell.server.remote;

import dev.bluebell.hca.ForwardingHca;
import dev.bluebell.hca.ForwardingHosting;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaHosting;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaObserver.Subject;
import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.structure.View;
import dev.bluebell.server.ClientUid;
import dev.bluebell.server.Ending;
import dev.bluebell.server.WatchedProcess;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One client's view of a device that records the queues that the client creates while it is
 * observed. Closing this does not close the device. For one thread, except the methods {@code
 * refused}.
 */
public final class ObservedClient extends ForwardingHca {
  private static final Pattern NUMBER = Pattern.compile("0x[0-9a-f]+|[0-9]+");

  private final Observers observers;
  private final WatchedProcess process;
  private final ClientUid uid;
  private final Set<String> reported = new HashSet<>();
  private volatile @Nullable ObservedProcess observed;

  /**
   * @param process of the client
   * @param uid the uid of the client's completion queues
   */
  public ObservedClient(Hca hca, Observers observers, WatchedProcess process, ClientUid uid) {
    super(hca);
    this.process = process;
    this.observers = observers;
    this.uid = uid;
  }

  /** Attaches the observer whose token the client presented; takes any number. */
  public void attach(long token) {
    observed =
        observers.find(token).map(observer -> new ObservedProcess(observer, process)).orElse(null);
  }

  /**
   * Keeps for the observer what the device says about the queues that the client leaves, if it is
   * ending. Call it before they are destroyed.
   */
  public void leave() {
    ObservedProcess observer = observed;
    if (observer != null && process.isEnding()) {
      observer.observed().left(observers.queues(process));
    }
  }

  /** Reports to the observer why a call of the client was refused. */
  public void refused(String sentence) {
    ObservedProcess observer = observed;
    if (observer != null) {
      observer.refused(sentence);
    }
  }

  /** Like {@link #refused(String)}; composes the sentence only for an observer. */
  public void refused(Supplier<String> sentence) {
    ObservedProcess observer = observed;
    if (observer != null) {
      observer.refused(sentence.get());
    }
  }

  /**
   * Like {@link #refused(String)}, but of sentences that differ only in numbers, reports just the
   * first. For the thread of the client.
   */
  public void refusedOnce(String sentence) {
    if (observed != null && reported.add(NUMBER.matcher(sentence).replaceAll("#"))) {
      refused(sentence);
    }
  }

  @Override
  public HcaObject create(byte[] command) {
    HcaObject object = super.create(uid.of(command));
    ObservedProcess observer = observed;
    if (observer == null) {
      return object;
    }
    return switch (View.over(command).getInt(CmdIn.OPCODE)) {
      case CommandOpcode.CREATE_QP, CommandOpcode.CREATE_DCT ->
          note(observer, Subject.QUEUE_PAIR, object);
      case CommandOpcode.CREATE_CQ -> note(observer, Subject.COMPLETION_QUEUE, object);
      default -> object;
    };
  }

  private HcaObject note(ObservedProcess observer, Subject subject, HcaObject object) {
    return new Ending.OfObject(object, observers.begin(observer, subject, object.number()));
  }

  @Override
  public Optional<HcaHosting> hosting() {
    return super.hosting().map(NotingHosting::new);
  }

  /** Records the UAR pages, because the device identifies a malformed doorbell by its page. */
  private final class NotingHosting extends ForwardingHosting {
    NotingHosting(HcaHosting hosting) {
      super(hosting);
    }

    @Override
    public HcaUar allocateUar(MemorySegment memory) {
      HcaUar page = super.allocateUar(memory);
      ObservedProcess observer = observed;
      return observer == null
          ? page
          : new Ending.OfUar(page, observers.begin(observer, Subject.UAR_PAGE, page.number()));
    }
  }

  @Override
  public void close() {}
}
