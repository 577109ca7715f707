package dev.bluebell.program.plan;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Queue;
import dev.bluebell.program.image.Region;
import dev.bluebell.program.image.Ring;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a client writes to make a program of {@link Calls#REARMED} ready for a call: the rings of
 * worker and client and all words, as they were at the start, with the numbers of that call; and
 * the doorbell record that posts the receive entry again.
 */
public final class Rearming {
  private static final int LOG_WQEBB = ControlSegment.LOG_WQEBB_BYTES;

  private final Plan plan;
  private final ProgramImage image;

  /**
   * A piece of it.
   *
   * @param to the region, whose key gives the right to write it
   * @param bytes what is written to its start
   */
  public record Piece(Region to, byte[] bytes) {
    /** Copies the bytes. */
    public Piece {
      bytes = bytes.clone();
    }

    /** A copy of the bytes. */
    @Override
    public byte[] bytes() {
      return bytes.clone();
    }
  }

  /**
   * For an installed program.
   *
   * @param image of the plan, as it is at the start
   * @throws IllegalArgumentException when the plan is not for {@link Calls#REARMED}
   */
  public Rearming(Plan plan, ProgramImage image) {
    if (plan.calls() != Calls.REARMED) {
      throw new IllegalArgumentException("%s is not armed by its client".formatted(plan.name()));
    }
    this.plan = plan;
    this.image = image;
  }

  /**
   * What must be written before a call.
   *
   * @param call its number, from 0
   */
  public List<Piece> before(int call) {
    List<Piece> pieces = new ArrayList<>();
    for (Lane lane : List.of(Lane.WORKER, Lane.CLIENT)) {
      byte[] bytes = Arrays.copyOf(content(lane), plan.wqebbs(lane) << LOG_WQEBB);
      number(bytes, 0, call, lane);
      pieces.add(new Piece(ring(lane).region(), bytes));
    }
    Region words = region("words");
    pieces.add(new Piece(words, words.bytes()));
    byte[] posted = ByteBuffer.allocate(Integer.BYTES).putInt(call + 1 & 0xffff).array();
    pieces.add(new Piece(region("receive record"), posted));
    return pieces;
  }

  /**
   * The same image with a launcher that starts so many calls, one for each message.
   *
   * @param calls as many as its ring has room for
   */
  public ProgramImage launching(int calls) {
    byte[] all = content(Lane.LAUNCHER);
    int wqebbs = plan.wqebbs(Lane.LAUNCHER);
    for (int call = 0; call < calls; call++) {
      System.arraycopy(launch(call), 0, all, call * wqebbs << LOG_WQEBB, wqebbs << LOG_WQEBB);
    }
    return image.withSends(queue(Lane.LAUNCHER).qpn(), all, calls * wqebbs);
  }

  /**
   * The entries of the launcher for a call.
   *
   * @param call its number, from 0
   */
  public byte[] launch(int call) {
    byte[] bytes = Arrays.copyOf(content(Lane.LAUNCHER), plan.wqebbs(Lane.LAUNCHER) << LOG_WQEBB);
    number(bytes, 0, call, Lane.LAUNCHER);
    return bytes;
  }

  /** Writes the numbers of a call to entries that begin at an offset. */
  private void number(byte[] bytes, int at, int call, Lane lane) {
    for (Entry entry : plan.queue(lane)) {
      // A bare one has an operand where others have their index.
      boolean bare = entry.action() instanceof Entry.Work work && work.instruction().isBare();
      for (Count count : Count.of(entry, !bare, plan::wqebbs, this::completions)) {
        byte[] number = count.after(call).content();
        int place = at + (entry.index() << LOG_WQEBB) + count.offset();
        System.arraycopy(number, 0, bytes, place, number.length);
      }
    }
  }

  private int completions(Counter counter) {
    return switch (counter) {
      case CALLS -> 1;
      case LAUNCHER -> signalled(Lane.LAUNCHER);
      case WORKER -> signalled(Lane.WORKER);
      case CLIENT -> signalled(Lane.CLIENT);
      case LOOP -> signalled(Lane.LOOP);
      case SECOND_LOOP -> signalled(Lane.SECOND_LOOP);
      case SUBPROGRAM -> signalled(Lane.SUBPROGRAM);
    };
  }

  private int signalled(Lane lane) {
    return (int) plan.queue(lane).stream().filter(Entry::signalled).count();
  }

  private byte[] content(Lane lane) {
    return ring(lane).region().bytes();
  }

  private Ring ring(Lane lane) {
    return queue(lane).send();
  }

  private Queue queue(Lane lane) {
    return image.queues().stream()
        .filter(queue -> queue.name().equals(lane.text()))
        .findFirst()
        .orElseThrow();
  }

  private Region region(String name) {
    return image.regions().stream()
        .filter(region -> region.name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
