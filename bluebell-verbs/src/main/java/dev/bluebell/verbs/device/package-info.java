/** The device, the protection domain, and the service that opens a device. */
@NullMarked
package dev.bluebell.verbs.device;

import org.jspecify.annotations.NullMarked;
