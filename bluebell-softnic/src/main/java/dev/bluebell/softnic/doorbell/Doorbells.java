package dev.bluebell.softnic.doorbell;

import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.engine.Polled;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.ObjectTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All UAR pages of the device. Those that rang lately are looked at in every step, the others in
 * rotation. Owned by whoever runs the engine.
 */
public final class Doorbells implements Polled {
  private static final int HOT_PAGES = 4;
  private static final int COLD_PAGES_PER_STEP = 8;

  private final ObjectTable<? extends Ringable> all;
  private final FlightRecorder recorder;
  private final Explanations explanations;
  private final boolean strict;
  private final List<PageWatch> pages = new ArrayList<>();
  private final @Nullable PageWatch[] hot = new PageWatch[HOT_PAGES];
  private int nextHot;
  private int nextCold;
  private final ArrayDeque<PageWatch> sweeps = new ArrayDeque<>();

  /** Doorbells of which one may hide another, which is made up for. */
  public Doorbells(
      ObjectTable<? extends Ringable> all, FlightRecorder recorder, Explanations explanations) {
    this(all, recorder, explanations, false);
  }

  /**
   * @param all everything that a doorbell can name
   * @param strict true to start only what was rung, and to lose what a card may lose
   */
  public Doorbells(
      ObjectTable<? extends Ringable> all,
      FlightRecorder recorder,
      Explanations explanations,
      boolean strict) {
    this.strict = strict;
    this.all = all;
    this.recorder = recorder;
    this.explanations = explanations;
  }

  // ---- what is on the pages

  public void add(UarPage page) {
    pages.add(new PageWatch(page, all, recorder, explanations, strict));
  }

  public void remove(UarPage page) {
    pages.removeIf(watch -> watch.page() == page);
    sweeps.removeIf(watch -> watch.page() == page);
    for (int i = 0; i < hot.length; i++) {
      if (hot[i] != null && hot[i].page() == page) {
        hot[i] = null;
      }
    }
    nextCold = 0;
  }

  public void add(Ringable queue, UarPage page) {
    watch(page).sendQueues().add(queue);
    watch(page).sweepAgain();
  }

  public void remove(Ringable queue, UarPage page) {
    watch(page).sendQueues().remove(queue);
    watch(page).sweepAgain();
  }

  public void add(CompletionQueue queue, UarPage page) {
    watch(page).completionQueues().add(queue);
  }

  public void remove(CompletionQueue queue, UarPage page) {
    watch(page).completionQueues().remove(queue);
  }

  private PageWatch watch(UarPage page) {
    for (PageWatch watch : pages) {
      if (watch.page() == page) {
        return watch;
      }
    }
    throw new IllegalArgumentException(
        "UAR page %d is not on this device".formatted(page.number()));
  }

  // ---- looking

  @Override
  public boolean isEmpty() {
    return pages.isEmpty();
  }

  @Override
  public int poll() {
    return poll(COLD_PAGES_PER_STEP);
  }

  @Override
  public int pollThoroughly() {
    return poll(pages.size());
  }

  private int poll(int coldPages) {
    int done = 0;
    for (int i = 0; i < HOT_PAGES; i++) {
      PageWatch watch = hot[i];
      if (watch != null) {
        done += poll(watch);
      }
    }
    int cold = Math.min(pages.size(), coldPages);
    for (int i = 0; i < cold; i++) {
      nextCold = nextCold + 1 >= pages.size() ? 0 : nextCold + 1;
      PageWatch watch = pages.get(nextCold);
      int rang = poll(watch);
      if (rang > 0) {
        done += rang;
        makeHot(watch);
      }
    }
    return sweeps.isEmpty() ? done : done + sweep();
  }

  /** Takes the doorbells off one page now. */
  public void poll(UarPage page) {
    PageWatch watch = watch(page);
    for (int i = 0; i < UarPage.BUFFERS; i++) {
      poll(watch);
    }
  }

  private int poll(PageWatch watch) {
    int rang = watch.poll();
    if (rang > 0 && watch.isToBeSwept() && !sweeps.contains(watch)) {
      sweeps.add(watch);
    }
    return rang;
  }

  private void makeHot(PageWatch watch) {
    for (PageWatch other : hot) {
      if (other == watch) {
        return;
      }
    }
    hot[nextHot] = watch;
    nextHot = nextHot + 1 & HOT_PAGES - 1;
  }

  /** Looks at some queues whose doorbell may have been written over; how many. */
  private int sweep() {
    int looks = 0;
    for (int i = Math.min(sweeps.size(), HOT_PAGES); i > 0; i--) {
      PageWatch watch = sweeps.remove();
      looks += watch.sweep();
      if (watch.isToBeSwept()) {
        sweeps.add(watch);
      }
    }
    return looks;
  }
}
