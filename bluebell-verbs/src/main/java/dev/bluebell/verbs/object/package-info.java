/** Code that all objects of a device share: lifetimes, the device context, memory. */
@NullMarked
package dev.bluebell.verbs.object;

import org.jspecify.annotations.NullMarked;
