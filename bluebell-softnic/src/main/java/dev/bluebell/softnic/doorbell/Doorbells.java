package dev.bluebell.softnic.doorbell;

import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.engine.Client;
import dev.bluebell.softnic.engine.Polled;
import dev.bluebell.softnic.engine.Scheduler;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.ObjectTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All UAR pages of the device. Each step polls the hot pages, which rang lately, and some of the
 * cold ones in rotation: clients take turns, and so do the pages of each. While only hot pages
 * ring, a step polls fewer cold ones: a thousand pages must not make it long. Owned by the thread
 * that runs the engine.
 */
public final class Doorbells implements Polled {
  private static final int HOT_PAGES = 4;
  private static final int MOST_COLD_PAGES = 8;

  /** Steps without a ring on a hot page after which steps poll more cold pages again. */
  private static final int CALM = 64;

  /** Pages polled in one go before a rest: other threads may wait for the device. */
  private static final int PAGES_BEFORE_REST = 256;

  /** Turns of sweeps before a command, which look at some 4,000 queues within about a ms. */
  private static final int TURNS_BEFORE_END = 128;

  private static final int CQ_NUMBERS = 1 << 24;

  private final ObjectTable<? extends Ringable> all;
  private final FlightRecorder recorder;
  private final Explanations explanations;
  private final Scheduler scheduler;
  private final boolean strict;
  private final @Nullable DoorbellFaults faults;
  private final Map<UarPage, PageWatch> watches = new HashMap<>();
  private final List<ClientPages> clients = new ArrayList<>();
  private final ObjectTable<Armable> armables = new ObjectTable<>(0, CQ_NUMBERS);
  private final @Nullable PageWatch[] hot = new PageWatch[HOT_PAGES];

  /** Number of pages that are polled: those that are not silenced. */
  private int rotating;

  private int nextHot;
  private int nextClient;

  // Cold pages that a step polls, unless one of each client is more; and steps since a hot page
  // rang.
  private int coldPages = MOST_COLD_PAGES;
  private int calm;

  // The next page to poll before a rest, and how many pages in a row did not ring.
  private int nextThorough;
  private int nextPage;
  private int quiet;

  /**
   * @param all everything that a doorbell can name
   * @param scheduler gives turns to sweeps of pages
   * @param strict true to start only rung requests, and to lose doorbells that a card may lose
   * @param faults injects lost and late doorbells; null for none
   */
  public Doorbells(
      ObjectTable<? extends Ringable> all,
      FlightRecorder recorder,
      Explanations explanations,
      Scheduler scheduler,
      boolean strict,
      @Nullable DoorbellFaults faults) {
    this.scheduler = scheduler;
    this.strict = strict;
    this.faults = faults;
    this.all = all;
    this.recorder = recorder;
    this.explanations = explanations;
  }

  // ---- pages and their queues

  /**
   * @param client the owner of the page
   */
  public void add(UarPage page, Client client) {
    quiet = 0;
    ClientPages pages = pagesOf(client);
    if (pages == null) {
      pages = new ClientPages(client);
      clients.add(pages);
    }
    PageWatch watch =
        new PageWatch(page, pages, all, armables, recorder, explanations, strict, faults);
    watches.put(page, watch);
    pages.add(watch);
    rotating++;
  }

  private @Nullable ClientPages pagesOf(Client client) {
    for (ClientPages pages : clients) {
      if (pages.client() == client) {
        return pages;
      }
    }
    return null;
  }

  public void remove(UarPage page) {
    PageWatch watch = watch(page);
    watches.remove(page);
    leaveRotation(watch);
  }

  /**
   * Takes the last doorbells of a page that will not ring again, and stops polling it. Its queues
   * stay.
   */
  public void silence(UarPage page) {
    PageWatch watch = watch(page);
    poll(page);
    int unused = watch.finishSweep(Integer.MAX_VALUE);
    leaveRotation(watch);
  }

  private void leaveRotation(PageWatch watch) {
    quiet = 0;
    ClientPages pages = pagesOf(owner(watch));
    if (pages == null || !pages.remove(watch)) {
      return;
    }
    rotating--;
    if (pages.size() == 0) {
      clients.remove(pages);
      nextClient = 0;
    }
    for (int i = 0; i < hot.length; i++) {
      if (hot[i] == watch) {
        hot[i] = null;
      }
    }
  }

  public void add(Ringable queue, UarPage page) {
    watch(page).sendQueues().add(queue);
    watch(page).restart();
  }

  public void remove(Ringable queue, UarPage page) {
    watch(page).remove(queue);
    watch(page).restart();
  }

  public void add(CompletionQueue queue, UarPage page) {
    PageWatch watch = watch(page);
    watch.completionQueues().add(queue);
    watch.restart();
    armables.put(queue.number(), new Armable(queue, watch));
  }

  public void remove(CompletionQueue queue, UarPage page) {
    watch(page).completionQueues().remove(queue);
    watch(page).restart();
    armables.remove(queue.number());
  }

  private PageWatch watch(UarPage page) {
    PageWatch watch = watches.get(page);
    if (watch == null) {
      throw new IllegalArgumentException(
          "UAR page %d is not on this device".formatted(page.number()));
    }
    return watch;
  }

  // ---- polling

  @Override
  public boolean isEmpty() {
    return rotating == 0;
  }

  @Override
  public int poll() {
    int done = pollHot();
    if (done > 0) {
      calm = 0;
      coldPages >>= 1;
    } else if (++calm >= CALM) {
      coldPages = MOST_COLD_PAGES;
    }
    // At least one page of each client: no client waits because another has many pages.
    int least = Math.min(clients.size(), MOST_COLD_PAGES);
    int looks = Math.min(rotating, Math.max(coldPages, least));
    for (int i = 0; i < looks; i++) {
      nextClient = nextClient + 1 >= clients.size() ? 0 : nextClient + 1;
      done += pollCold(clients.get(nextClient).next());
    }
    return done;
  }

  @Override
  public int pollThoroughly() {
    int done = pollHot();
    if (rotating <= PAGES_BEFORE_REST) {
      // This call polls all pages. One that was quiet in the last call may have rung since.
      quiet = 0;
    }
    for (int looks = 0; looks < PAGES_BEFORE_REST && quiet < rotating; looks++) {
      int rang = pollCold(inRotation());
      quiet = rang > 0 ? 0 : quiet + 1;
      done += rang;
    }
    // Other pages must be polled before the device may rest.
    boolean isRest = quiet >= rotating;
    quiet = isRest ? 0 : quiet;
    return isRest ? done : done + 1;
  }

  /** The next of all pages: all of one client, then all of the next. */
  private PageWatch inRotation() {
    while (nextThorough < clients.size()) {
      ClientPages pages = clients.get(nextThorough);
      if (nextPage < pages.size()) {
        return pages.at(nextPage++);
      }
      nextThorough++;
      nextPage = 0;
    }
    nextThorough = 0;
    nextPage = 1;
    return clients.getFirst().at(0);
  }

  private int pollHot() {
    int done = 0;
    for (int i = 0; i < HOT_PAGES; i++) {
      PageWatch watch = hot[i];
      if (watch != null) {
        done += poll(watch);
      }
    }
    return done;
  }

  private int pollCold(PageWatch watch) {
    int rang = poll(watch);
    if (rang > 0 && !isHot(watch)) {
      makeHot(watch);
      // When one cold page rings, others may, too.
      coldPages = MOST_COLD_PAGES;
    }
    return rang;
  }

  /** Takes the doorbells off one page now. */
  public void poll(UarPage page) {
    PageWatch watch = watch(page);
    for (int i = 0; i < UarPage.BUFFERS; i++) {
      poll(watch);
    }
  }

  /**
   * Does the same before a command for a queue, so that the command sees all doorbells of the
   * queue.
   */
  public void poll(UarPage page, Ringable queue) {
    poll(page);
    watch(page).lookAt(queue);
  }

  /**
   * Does the same for all pages of a client, before a command that destroys what its requests use.
   * Of a client with thousands of queues, only some are looked at.
   */
  public void poll(Client client) {
    ClientPages pages = pagesOf(client);
    int turns = TURNS_BEFORE_END;
    for (int i = 0; pages != null && i < pages.size(); i++) {
      PageWatch watch = pages.at(i);
      if (watch.sendQueues().size() > 0) {
        poll(watch.page());
        turns -= watch.finishSweep(turns);
      }
    }
  }

  /** Takes doorbells off a page and schedules its sweep; returns how much there was to do. */
  private int poll(PageWatch watch) {
    int done = watch.poll();
    if (watch.isToBeSwept()) {
      scheduler.activate(watch);
      // A client that waits for a page of its memory gets no turns, and must not keep the device
      // awake.
      done += watch.isFrozen() ? 0 : 1;
    }
    return done;
  }

  private static Client owner(PageWatch watch) {
    return Objects.requireNonNull(watch.owner());
  }

  private boolean isHot(PageWatch watch) {
    for (PageWatch other : hot) {
      if (other == watch) {
        return true;
      }
    }
    return false;
  }

  private void makeHot(PageWatch watch) {
    int slot = slot(owner(watch));
    hot[slot] = watch;
    nextHot = slot + 1 & HOT_PAGES - 1;
  }

  /**
   * A free slot, or the oldest of the client that would have most: no client keeps the others out.
   */
  private int slot(Client client) {
    int slot = nextHot;
    int most = 0;
    for (int i = 0; i < HOT_PAGES; i++) {
      int at = nextHot + i & HOT_PAGES - 1;
      PageWatch watch = hot[at];
      if (watch == null) {
        return at;
      }
      int slots = slots(owner(watch)) + (owner(watch) == client ? 1 : 0);
      if (slots > most) {
        most = slots;
        slot = at;
      }
    }
    return slot;
  }

  private int slots(Client client) {
    int slots = 0;
    for (PageWatch watch : hot) {
      slots += watch != null && watch.owner() == client ? 1 : 0;
    }
    return slots;
  }
}
