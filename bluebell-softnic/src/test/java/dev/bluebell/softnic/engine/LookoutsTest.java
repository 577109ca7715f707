package dev.bluebell.softnic.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.softnic.diagnosis.DeviceTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The device looks at all that it watches, in limited pieces, and at that of each client. */
class LookoutsTest {
  private static final int CROWD = 1000;
  private static final int MOST = 64;
  private static final int CALLS = CROWD / MOST + 1;
  private static final int SEED = 7;

  private final Engine engine = new Engine(() -> 0, new DeviceTime(), null);
  private final Lookouts lookouts = new Lookouts();
  private int looks;
  private int comparisons;

  /** A word of memory that changes once. */
  private final class Word extends Lookout {
    private boolean changed;
    private int seen;

    Word(Client client) {
      super(lookouts, client);
      watch();
    }

    @Override
    protected int look() {
      looks++;
      seen++;
      if (changed) {
        unwatch();
      }
      return changed ? 1 : 0;
    }

    @Override
    public boolean equals(Object other) {
      comparisons++;
      return this == other;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  private List<Word> crowd(Client client) {
    List<Word> crowd = new ArrayList<>();
    for (int i = 0; i < CROWD; i++) {
      crowd.add(new Word(client));
    }
    return crowd;
  }

  @Test
  void aLookBeforeARestIsLimitedAndARoundIsMany() {
    List<Word> crowd = crowd(engine.own());
    for (int round = 1; round <= 2; round++) {
      for (int call = 1; call <= CALLS; call++) {
        looks = 0;
        assertThat(lookouts.pollThoroughly()).isZero();
        assertThat(looks).isEqualTo(call < CALLS ? MOST : CROWD % MOST);
        assertThat(lookouts.isLooking()).isEqualTo(call < CALLS);
      }
      int seen = round;
      assertThat(crowd).allMatch(word -> word.seen == seen);
    }
  }

  @Test
  void aCallThatCanLooksAtEverythingThatEarlierStepsLookedAt() {
    List<Word> crowd = crowd(engine.own());
    crowd.subList(MOST, CROWD).forEach(Word::unwatch);
    for (int i = 0; i < MOST / 2; i++) {
      lookouts.poll();
    }
    crowd.subList(0, MOST).forEach(word -> word.changed = true);
    assertThat(lookouts.pollThoroughly()).isEqualTo(MOST);
    assertThat(lookouts.isLooking()).isFalse();
  }

  @Test
  void aClientWithOneLookoutDoesNotWaitForACrowdOfAnother() {
    crowd(engine.open());
    Word single = new Word(engine.open());
    for (int call = 1; call <= 8; call++) {
      lookouts.pollThoroughly();
      assertThat(single.seen).isEqualTo(call);
    }
    single.changed = true;
    assertThat(lookouts.poll() + lookouts.poll()).isEqualTo(1);
  }

  @Test
  void looksBetweenThoseBeforeARestDoNotProlongTheRound() {
    for (int size = 1; size <= 4 * MOST; size++) {
      new Word(engine.own());
      int calls = 0;
      do {
        lookouts.poll();
        lookouts.pollThoroughly();
        calls++;
      } while (lookouts.isLooking() && calls <= 4);
      assertThat(calls).isEqualTo((size - 1) / MOST + 1);
    }
  }

  @Test
  void aRoundOverTheCrowdsOfSeveralClientsEndsOnceAllWereLookedAt() {
    crowd(engine.open());
    crowd(engine.open()).subList(0, CROWD / 3).forEach(Word::unwatch);
    crowd(engine.open()).subList(0, CROWD / 2).forEach(Word::unwatch);
    for (int round = 0; round < 3; round++) {
      int calls = 0;
      do {
        lookouts.poll();
        lookouts.pollThoroughly();
        calls++;
      } while (lookouts.isLooking() && calls <= 3 * CALLS);
      assertThat(calls).isEqualTo(3 * CALLS);
    }
  }

  @Test
  void aClientIsLookedAtWhileARoundOverTheCrowdOfAnotherGoesOn() {
    crowd(engine.open());
    List<Word> fewer = crowd(engine.open());
    fewer.subList(MOST, CROWD).forEach(Word::unwatch);
    for (int call = 0; call < CALLS; call++) {
      lookouts.pollThoroughly();
    }
    assertThat(lookouts.isLooking()).isTrue();
    assertThat(fewer.subList(0, MOST)).allMatch(word -> word.seen == CALLS / 2);
  }

  @Test
  void eachOfManyClientsHasALook() {
    List<Word> words = new ArrayList<>();
    for (int i = 0; i < 2 * MOST; i++) {
      words.add(new Word(engine.open()));
    }
    lookouts.pollThoroughly();
    assertThat(words).allMatch(word -> word.seen == 1);
  }

  @Test
  void removingACrowdNeedsNoSearch() {
    List<Word> crowd = crowd(engine.own());
    Collections.shuffle(crowd, new Random(SEED));
    crowd.subList(0, CROWD / 2).forEach(Word::unwatch);
    crowd.subList(CROWD / 2, CROWD).forEach(word -> word.changed = true);
    int found = 0;
    while (!lookouts.isEmpty()) {
      found += lookouts.pollThoroughly();
    }
    assertThat(found).isEqualTo(CROWD / 2);
    assertThat(comparisons).isZero();
  }

  @Test
  void aRoundFindsAllThatChangedBeforeItAlthoughOthersComeAndGo() {
    Client client = engine.own();
    List<Word> crowd = crowd(client);
    Random random = new Random(SEED);
    Collections.shuffle(crowd, random);
    List<Word> changing = new ArrayList<>(crowd.subList(0, CROWD / 2));
    List<Word> others = new ArrayList<>(crowd.subList(CROWD / 2, CROWD));
    changing.forEach(word -> word.changed = true);
    do {
      lookouts.pollThoroughly();
      for (int i = 0; i < 100; i++) {
        others.remove(random.nextInt(others.size())).unwatch();
        others.add(new Word(client));
      }
    } while (lookouts.isLooking());
    assertThat(changing).noneMatch(Lookout::isWatched);
    assertThat(others).allMatch(Lookout::isWatched);
  }
}
