package dev.bluebell.softnic.queue;

/**
 * Why a work request can't be executed: what its error CQE says, and the sentence that explains it.
 * Reused; owned by one unit.
 */
public final class Fault {
  private int syndrome;
  private int vendorSyndrome;
  private String explanation = "";

  /**
   * Sets the fault. {@code explanation} names what the caller already knows to be wrong; the queue
   * pair adds queue and index.
   */
  public void set(int newSyndrome, int newVendorSyndrome, String newExplanation) {
    syndrome = newSyndrome;
    vendorSyndrome = newVendorSyndrome;
    explanation = newExplanation;
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
