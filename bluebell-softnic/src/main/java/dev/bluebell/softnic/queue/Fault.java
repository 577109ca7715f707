package dev.bluebell.softnic.queue;

/**
 * The reason that a work request can't be executed: the syndromes of its error CQE, and an
 * explanation. Reused; owned by one unit.
 */
public final class Fault {
  private int syndrome;
  private int vendorSyndrome;
  private String explanation = "";

  /**
   * Sets the fault. {@code explanation} says what is wrong; the queue pair adds queue and index.
   */
  public void set(int newSyndrome, int newVendorSyndrome, String newExplanation) {
    syndrome = newSyndrome;
    vendorSyndrome = newVendorSyndrome;
    explanation = newExplanation;
  }

  /** Sets a fault for which no vendor syndrome is known. */
  public void set(int newSyndrome, String newExplanation) {
    set(newSyndrome, VendorSyndrome.UNKNOWN, newExplanation);
  }

  public void clear() {
    set(0, 0, "");
  }

  public boolean isSet() {
    return syndrome != 0;
  }

  public int syndrome() {
    return syndrome;
  }

  public int vendorSyndrome() {
    return vendorSyndrome;
  }

  public String explanation() {
    return explanation;
  }
}
