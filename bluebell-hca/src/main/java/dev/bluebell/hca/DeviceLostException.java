package dev.bluebell.hca;

/**
 * The device is gone, with all that was on it: its process has ended. Open a device and create
 * everything anew.
 */
public final class DeviceLostException extends HcaException {
  private static final long serialVersionUID = 1;

  /**
   * @param message names the device and the remedy
   * @param output what stands for the device's answer
   */
  public DeviceLostException(String message, byte[] output) {
    super(message, output);
  }
}
