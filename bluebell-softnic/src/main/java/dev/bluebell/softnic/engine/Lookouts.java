package dev.bluebell.softnic.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * All lookouts of one kind. Clients take turns, and so do the lookouts of each client, so no client
 * waits for the many lookouts of another. A step looks at one of them, and before a rest at a
 * limited number: these looks are charged to no client, and other threads may wait for the device.
 * Owned by the thread that runs the engine.
 *
 * <p>No change is lost, although software does not announce it. The thread of a device sleeps for a
 * limited time, and only briefly while the device {@linkplain #isLooking has not looked at all
 * lookouts}. A caller that steps the device is asked to continue until then. If a change happens
 * after the look of such a round, the next round finds it, which begins with the next look before a
 * rest.
 */
public final class Lookouts implements Polled {
  /** Lookouts that are looked at in one go, or one of each client if that is more: some 50 µs. */
  private static final int LOOKS_BEFORE_REST = 64;

  private final Map<Client, Share> known = new WeakHashMap<>();

  // Those that are not empty.
  private final List<Share> shares = new ArrayList<>();
  private int next;

  Share of(Client client) {
    return known.computeIfAbsent(client, any -> new Share());
  }

  @Override
  public boolean isEmpty() {
    return shares.isEmpty();
  }

  @Override
  public int poll() {
    if (shares.isEmpty()) {
      return 0;
    }
    next = next + 1 >= shares.size() ? 0 : next + 1;
    return shares.get(next).lookAtNext();
  }

  @Override
  public int pollThoroughly() {
    int most = Math.max(1, LOOKS_BEFORE_REST / Math.max(1, shares.size()));
    boolean begins = !isLooking();
    int done = 0;
    // Shares may be added and removed while a look waits for a slow page.
    for (int i = shares.size() - 1; i >= 0; i = Math.min(i, shares.size()) - 1) {
      done += shares.get(i).lookBeforeRest(most, begins);
    }
    return done;
  }

  @Override
  public boolean isLooking() {
    for (int i = 0; i < shares.size(); i++) {
      if (shares.get(i).inRound) {
        return true;
      }
    }
    return false;
  }

  /** The lookouts of one client that are watched. */
  final class Share {
    private final List<Lookout> watched = new ArrayList<>();

    // How many are still to be looked at before it starts again: from the last to the first. The
    // last one takes the place of a removed one; so it may be looked at twice, but is not left out.
    private int left;

    // True until these looks are over, if a round over all shares began with them.
    private boolean inRound;

    // The next one outside of rounds: a look in between must not be the one that ends a round.
    private int following;

    void add(Lookout lookout) {
      if (watched.isEmpty()) {
        shares.add(this);
      }
      lookout.place = watched.size();
      watched.add(lookout);
    }

    void remove(Lookout lookout) {
      Lookout last = watched.removeLast();
      if (lookout.place < watched.size()) {
        watched.set(lookout.place, last);
        last.place = lookout.place;
      }
      left = Math.min(left, watched.size());
      inRound &= left > 0;
      if (watched.isEmpty()) {
        shares.remove(this);
      }
    }

    int lookAtNext() {
      following = (following == 0 ? watched.size() : Math.min(following, watched.size())) - 1;
      return watched.get(following).look();
    }

    int lookBeforeRest(int most, boolean begins) {
      if (begins || watched.size() <= most || left == 0) {
        left = watched.size();
        inRound |= begins;
      }
      int done = 0;
      for (int i = 0; i < most && left > 0; i++) {
        left--;
        done += watched.get(left).look();
      }
      inRound &= left > 0;
      return done;
    }
  }
}
