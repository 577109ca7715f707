package dev.bluebell.verifier;

/**
 * Which device a program is judged for. What no setting changes is in {@code
 * docs/machine-model.md}, "NIC programs".
 *
 * @param fencedEnables true when a fence holds a SEND_EN back as it holds any other request, which
 *     other people's code assumes; false when no fence does, the conservative reading
 * @param checks true when the device compares index and queue number of each entry
 * @param placesInOrder true when the payload of a queue's WRITEs is placed in the order of the
 *     requests; false when it may be placed in any order, as with relaxed ordering or out-of-order
 *     placement, until the WRITE completes, or a later READ, atomic or receive of the queue does
 * @param habits what else is known of the device; {@link Habits#UNKNOWN} is what a program must
 *     live with
 */
public record Rules(boolean fencedEnables, boolean checks, boolean placesInOrder, Habits habits) {
  /** No fence holds an enable, and entries are checked: what any device must accept. */
  public static final Rules CONSERVATIVE = new Rules(false, true);

  /** A fence holds an enable, and entries are checked. */
  public static final Rules ASSUMED = new Rules(true, true);

  /** Rules for a device of which nothing is known but what a program may rely on. */
  public Rules(boolean fencedEnables, boolean checks) {
    this(fencedEnables, checks, true, Habits.UNKNOWN);
  }

  /** The same rules on a device with some habits. */
  public Rules with(Habits known) {
    return new Rules(fencedEnables, checks, placesInOrder, known);
  }

  /** The same rules on a device whose checks of entries are switched off. */
  public Rules unchecked() {
    return new Rules(fencedEnables, false, placesInOrder, habits);
  }

  /** The same rules where payload is placed in any order. */
  public Rules outOfOrder() {
    return new Rules(fencedEnables, checks, false, habits);
  }
}
