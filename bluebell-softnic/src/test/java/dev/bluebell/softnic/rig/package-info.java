/** What tests of the device share: a device that is stepped, and raw objects on it. */
@NullMarked
package dev.bluebell.softnic.rig;

import org.jspecify.annotations.NullMarked;
