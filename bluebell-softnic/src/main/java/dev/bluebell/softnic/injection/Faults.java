package dev.bluebell.softnic.injection;

import dev.bluebell.softnic.option.FaultKind;
import dev.bluebell.softnic.option.FaultOptions;
import dev.bluebell.softnic.option.FaultRule;
import java.util.Collections;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The faults that a device injects. Owned by the thread that runs the engine. */
public final class Faults {
  private static final Set<FaultKind> OF_DEVICE =
      EnumSet.of(FaultKind.PORT_DOWN, FaultKind.PORT_RESET, FaultKind.DEVICE);

  /** Carries out the faults that hit the whole device. */
  public interface Fate {

    /**
     * The port goes down.
     *
     * @param nanos after which it comes up again; 0 when it does not
     */
    void portDown(String why, long nanos);

    /** The device dies. */
    void die(String why);
  }

  private final FaultOptions options;
  private final int firstQpn;
  private final int endOfQpns;
  private final @Nullable Chance device;

  /** The rules that strike once and have done so. */
  private final Set<FaultRule> spent = Collections.newSetFromMap(new IdentityHashMap<>());

  private @Nullable Fate fate;
  private boolean dead;
  private boolean cut;

  /**
   * @param firstQpn the number of the device's first queue pair
   * @param endOfQpns the number behind that of the last queue pair
   */
  public Faults(FaultOptions options, int firstQpn, int endOfQpns) {
    this.options = options;
    this.firstQpn = firstQpn;
    this.endOfQpns = endOfQpns;
    device = chance(OF_DEVICE, FaultRule.EVERY_QUEUE, FaultRule.EVERY_QUEUE);
  }

  /** Sets the handler of faults that hit the whole device. */
  public void fate(Fate bringer) {
    fate = bringer;
  }

  /**
   * The faults of one queue pair or DC target. What is drawn for a queue pair depends on how many
   * were created before, not on its number: the first number differs from device to device, unlike
   * that of a DC target.
   *
   * @param kinds of faults that the caller implements
   * @return null when no fault is configured for it
   */
  public @Nullable Chance ofQueuePair(Set<FaultKind> kinds, int number) {
    return chance(kinds, number, number < endOfQpns ? number - firstQpn : number);
  }

  /**
   * The faults of one completion queue.
   *
   * @param kinds of faults that the caller implements
   * @return null when no fault is configured for it
   */
  public @Nullable Chance ofCompletionQueue(Set<FaultKind> kinds, int number) {
    return chance(kinds, number, number);
  }

  private @Nullable Chance chance(Set<FaultKind> kinds, int number, int ordinal) {
    List<FaultRule> rules =
        options.rules().stream()
            .filter(rule -> kinds.contains(rule.kind()))
            .filter(rule -> rule.queue() < 0 || rule.queue() == number)
            .toList();
    return rules.isEmpty()
        ? null
        : new Chance(rules, spent, options.seed() ^ (long) ordinal << Integer.SIZE);
  }

  /** Counts a request of the device, and injects the fault that it meets. */
  public void countRequest() {
    FaultRule met = device == null ? null : device.next();
    if (device == null || met == null || fate == null || dead) {
      return;
    }
    String why =
        "injected when request %d of the device began (%s)"
            .formatted(device.count(), describe(met));
    if (met.kind() == FaultKind.DEVICE) {
      dead = true;
      fate.die(why);
    } else if (!cut) {
      cut = true;
      fate.portDown(why, met.delayNanos());
    }
  }

  /** True when the device is dead. */
  public boolean isDead() {
    return dead;
  }

  /** Lets packets pass again: the port is up. */
  public void mend() {
    cut = false;
  }

  /** True when the port is down. */
  public boolean isCut() {
    return cut;
  }

  /** The device options that reproduce a fault. */
  public String describe(FaultRule rule) {
    return "fail=%s%s".formatted(rule, rule.nth() > 0 ? "" : ",seed=" + options.seed());
  }
}
